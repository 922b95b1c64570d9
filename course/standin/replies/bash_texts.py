"""What the bash scene says, in three languages."""

from .wording import Texts

TEXTS = Texts(
    hello={
        "en": "Hello! Tell me what to do in this folder.",
        "de": "Hallo! Sag mir, was ich in diesem Ordner tun soll.",
        "zh": "你好！告诉我要在这个文件夹里做什么吧。",
    },
    welcome={"en": "You're welcome.", "de": "Gern geschehen.", "zh": "不客气。"},
    greeting={"en": "Hello, world!", "de": "Hallo, Welt!", "zh": "你好，世界！"},
    file={"en": "File", "de": "Datei", "zh": "文件"},
    # before commands
    look={
        "en": "First I'll look at what is here.",
        "de": "Erst sehe ich nach, was hier liegt.",
        "zh": "先看看这里有什么。",
    },
    exists={
        "en": "{file} is already there, so I'll read it before I touch it.",
        "de": "{file} gibt es schon; bevor ich etwas ändere, lese ich die Datei.",
        "zh": "{file} 已经存在，动手之前先读一遍。",
    },
    write={"en": "I'll write {file}.", "de": "Jetzt schreibe ich {file}.", "zh": "现在写 {file}。"},
    run={"en": "Now I'll run {file}.", "de": "Jetzt führe ich {file} aus.", "zh": "现在运行 {file}。"},
    read={"en": "I'll read {file}.", "de": "Ich lese {file}.", "zh": "读一下 {file}。"},
    read_first={
        "en": "Before I run {file} I'll read it.",
        "de": "Bevor ich {file} ausführe, lese ich die Datei.",
        "zh": "运行 {file} 之前，先读一遍。",
    },
    reproduce={
        "en": "I'll run {file} to see how it fails.",
        "de": "Ich führe {file} aus, um den Fehler zu sehen.",
        "zh": "运行 {file}，看看错在哪里。",
    },
    found={
        "en": "{problem}. {why} I'll change that.",
        "de": "{problem}. {why} Das ändere ich.",
        "zh": "{problem}。{why}我来改。",
    },
    run_again={
        "en": "Once more, to see whether that was it.",
        "de": "Noch einmal, um zu sehen, ob es das war.",
        "zh": "再运行一次，看看是不是修好了。",
    },
    other_python={
        "en": "Python has another name here; I'll try that.",
        "de": "Python heißt hier anders; ich versuche den anderen Namen.",
        "zh": "这里的 Python 不叫这个名字，换一个试试。",
    },
    branch={"en": "I'll ask git.", "de": "Das weiß Git.", "zh": "问一下 git。"},
    no_branch={
        "en": "Git names no branch, so I'll look at the commit.",
        "de": "Git nennt keinen Branch, also sehe ich mir den Commit an.",
        "zh": "git 没有给出分支名，再看看当前提交。",
    },
    folder_exists={
        "en": "{folder} is already there; I'll see what is in it, so that I overwrite nothing.",
        "de": "{folder} gibt es schon; ich sehe hinein, damit ich nichts überschreibe.",
        "zh": "{folder} 已经存在，先看看里面有什么，免得覆盖。",
    },
    make={
        "en": "Now I'll make {folder} and what belongs in it.",
        "de": "Jetzt lege ich {folder} mit Inhalt an.",
        "zh": "现在创建 {folder} 和里面的文件。",
    },
    check={"en": "I'll check the result.", "de": "Ich prüfe das Ergebnis.", "zh": "检查一下结果。"},
    find={
        "en": "I'll search this folder and those below it.",
        "de": "Ich durchsuche diesen Ordner und alle darunter.",
        "zh": "在这个文件夹及其子文件夹里找一找。",
    },
    count={"en": "I'll count file by file.", "de": "Ich zähle Datei für Datei.", "zh": "逐个文件统计行数。"},
    # endings of jobs
    works={
        "en": "{file} is written, and it works. It prints: {output}",
        "de": "{file} ist fertig und funktioniert. Die Ausgabe: {output}",
        "zh": "{file} 已经写好，运行正常。输出：{output}",
    },
    unchanged_works={
        "en": "{file} was already just what you want, so I changed nothing. It prints: {output}",
        "de": "{file} war schon genau so, wie du es willst; ich habe nichts geändert. Die Ausgabe: {output}",
        "zh": "{file} 本来就符合要求，我没有改动。输出：{output}",
    },
    left_alone={
        "en": "There is a {file} with other content, so I left it as it is. Shall I overwrite it, or use another name?",
        "de": "Es gibt schon eine Datei {file} mit anderem Inhalt; ich habe sie nicht angerührt. Soll ich sie "
        "überschreiben "
        "oder einen anderen Namen nehmen?",
        "zh": "已经有一个内容不同的 {file}，我没有动它。要覆盖它，还是换个名字？",
    },
    unexpected={
        "en": '{file} runs, but prints something else than "{expected}": {output}',
        "de": "{file} läuft, gibt aber nicht „{expected}“ aus, sondern: {output}",
        "zh": "{file} 可以运行，但输出不是“{expected}”，而是：{output}",
    },
    script_error={
        "en": "{file} stops in line {line} with an error: {problem}. If you like, tell me to fix {file}.",
        "de": "{file} bricht in Zeile {line} mit einem Fehler ab: {problem}. Wenn du willst, sag: Repariere {file}.",
        "zh": "{file} 在第 {line} 行出错停止：{problem}。需要的话，告诉我“修复 {file}”。",
    },
    script_exit={
        "en": "{file} ends with exit code {code}, without a traceback that would say where. Its output: {output}",
        "de": "{file} endet mit dem Exit-Code {code}, ohne einen Traceback, der die Stelle nennt. Die Ausgabe: "
        "{output}",
        "zh": "{file} 以退出码 {code} 结束，没有可供定位的 traceback。输出：{output}",
    },
    ran={
        "en": "{file} ran to its end. It printed: {output}",
        "de": "{file} ist bis zum Ende gelaufen. Die Ausgabe: {output}",
        "zh": "{file} 运行完毕。输出：{output}",
    },
    ran_cut={
        "en": "{file} ran to its end. It printed more than I get to see: the middle is missing. The last line is: "
        "{last}",
        "de": "{file} ist bis zum Ende gelaufen. Von der langen Ausgabe fehlt mir die Mitte. Die letzte Zeile "
        "lautet: {last}",
        "zh": "{file} 运行完毕。输出太长，我看不到中间部分。最后一行是：{last}",
    },
    ran_silently={
        "en": "{file} ran to its end and printed nothing.",
        "de": "{file} ist bis zum Ende gelaufen, ohne etwas auszugeben.",
        "zh": "{file} 运行完毕，没有任何输出。",
    },
    content={
        "en": "Lines in {file}: {n}. Its content: {output}",
        "de": "Zeilen in {file}: {n}. Der Inhalt: {output}",
        "zh": "{file} 共 {n} 行。内容：{output}",
    },
    unreadable={
        "en": "I can't read {file}: {output}",
        "de": "{file} lässt sich nicht lesen: {output}",
        "zh": "读不了 {file}：{output}",
    },
    absent={
        "en": "There is no {file} here.",
        "de": "Eine Datei {file} gibt es hier nicht.",
        "zh": "这里没有 {file}。",
    },
    which={
        "en": "There are several scripts here. Which one do you mean: {names}?",
        "de": "Hier liegen mehrere Skripte. Welches meinst du: {names}?",
        "zh": "这里有好几个脚本：{names}。你指的是哪一个？",
    },
    no_script={
        "en": "I see no Python script here that I could fix.",
        "de": "Ich sehe hier kein Python-Skript, das ich reparieren könnte.",
        "zh": "这里没有可以修复的 Python 脚本。",
    },
    too_long={
        "en": "{file} is so long that I don't get to see its middle. I won't rewrite what I can't see.",
        "de": "{file} ist so lang, dass ich die Mitte nicht zu sehen bekomme. Was ich nicht sehe, schreibe ich nicht "
        "neu.",
        "zh": "{file} 太长，我看不到中间部分。看不到的内容，我不会改写。",
    },
    nothing_to_fix={
        "en": "{file} runs without an error, so I changed nothing. It prints: {output}",
        "de": "{file} läuft ohne Fehler, also habe ich nichts geändert. Die Ausgabe: {output}",
        "zh": "{file} 运行没有出错，所以我没有改动。输出：{output}",
    },
    fixed={
        "en": "I changed that, and now {file} runs. It prints: {output}",
        "de": "Das habe ich geändert, jetzt läuft {file}. Die Ausgabe: {output}",
        "zh": "改好之后，{file} 可以正常运行了。输出：{output}",
    },
    beyond={
        "en": "{file} stops in line {line} with {problem}. How to put that right depends on what you want there, so I "
        "leave it to you.",
        "de": "{file} bricht in Zeile {line} ab: {problem}. Was dort richtig wäre, hängt davon ab, was du willst; das "
        "überlasse ich dir.",
        "zh": "{file} 在第 {line} 行出错：{problem}。怎么改才对，取决于你想要什么，所以留给你决定。",
    },
    why_name={
        "en": "Line {line} says {wrong}, where {right} is meant.",
        "de": "In Zeile {line} steht {wrong}; gemeint ist {right}.",
        "zh": "第 {line} 行写成了 {wrong}，应该是 {right}。",
    },
    why_import={
        "en": "The module {module} is used but never imported.",
        "de": "Das Modul {module} wird benutzt, aber nie importiert.",
        "zh": "用到了模块 {module}，却没有导入。",
    },
    why_add={
        "en": "Line {line} lacks {sign}.",
        "de": "In Zeile {line} fehlt {sign}.",
        "zh": "第 {line} 行缺少 {sign}。",
    },
    why_compare={
        "en": "Line {line} compares with =, which must be ==.",
        "de": "Zeile {line} vergleicht mit =, richtig ist ==.",
        "zh": "第 {line} 行用 = 作比较，应该用 ==。",
    },
    why_indent={
        "en": "Line {line} is not indented as it should be.",
        "de": "Zeile {line} ist falsch eingerückt.",
        "zh": "第 {line} 行缩进不对。",
    },
    why_zero={
        "en": "Line {line} divides by {divisor}, which can be 0; then the result is 0 now.",
        "de": "Zeile {line} teilt durch {divisor}, und das kann 0 sein; dann ist das Ergebnis jetzt 0.",
        "zh": "第 {line} 行除以 {divisor}，而它可能是 0；现在这种情况下结果为 0。",
    },
    why_text={
        "en": "Line {line} joins a text and something that is none; str() makes it one.",
        "de": "Zeile {line} verkettet Text mit etwas, das keiner ist; str() macht Text daraus.",
        "zh": "第 {line} 行把文本和非文本拼在一起，用 str() 转换即可。",
    },
    why_far={
        "en": "Line {line} goes one place too far, past the end of the list.",
        "de": "Zeile {line} greift eine Stelle zu weit, hinter das Ende der Liste.",
        "zh": "第 {line} 行多走了一步，超出了列表末尾。",
    },
    on_branch={
        "en": "You are on the branch {branch}.",
        "de": "Du bist auf dem Branch {branch}.",
        "zh": "当前分支是 {branch}。",
    },
    detached={
        "en": "No branch is checked out: HEAD is detached, at commit {commit}.",
        "de": "Es ist kein Branch ausgecheckt: HEAD steht lose auf dem Commit {commit}.",
        "zh": "当前没有检出任何分支：HEAD 处于分离状态，指向提交 {commit}。",
    },
    no_repository={
        "en": "This folder is in no git repository, so there is no branch. Git says: {output}",
        "de": "Dieser Ordner gehört zu keinem Git-Repository, also gibt es keinen Branch. Git meldet: {output}",
        "zh": "这个文件夹不在 git 仓库里，所以没有分支。git 的提示：{output}",
    },
    no_git={"en": "Git is not installed here.", "de": "Git ist hier nicht installiert.", "zh": "这里没有安装 git。"},
    made={
        "en": "{folder} is there, with {names}. I looked into each of them.",
        "de": "{folder} ist angelegt, darin {names}. Ich habe in jede Datei hineingesehen.",
        "zh": "{folder} 已经建好，里面有 {names}。每个文件我都检查过了。",
    },
    made_empty={
        "en": "{folder} is there.",
        "de": "{folder} ist angelegt.",
        "zh": "{folder} 已经建好。",
    },
    not_made={
        "en": "Something went wrong: in {folder} I miss {names}.",
        "de": "Etwas ging schief: In {folder} fehlen {names}.",
        "zh": "出了点问题：{folder} 里缺少 {names}。",
    },
    some_of_kind={"en": "{ending} files", "de": "{ending}-Dateien", "zh": " {ending} 文件"},
    one_of_kind={"en": "{ending} file", "de": "{ending}-Datei", "zh": " {ending} 文件"},
    some_file={"en": "files", "de": "Dateien", "zh": "文件"},
    one_file={"en": "file", "de": "Datei", "zh": "文件"},
    none_found={
        "en": "There are no {kind} here, nor in the folders below.",
        "de": "Hier und in den Ordnern darunter gibt es keine {kind}.",
        "zh": "这里和子文件夹里都没有{kind}。",
    },
    found_one={
        "en": "I found one {kind}:\n{names}",
        "de": "Ich habe eine {kind} gefunden:\n{names}",
        "zh": "找到 1 个{kind}：\n{names}",
    },
    found_files={
        "en": "I found {n} {kind}:\n{names}",
        "de": "Ich habe {n} {kind} gefunden:\n{names}",
        "zh": "找到 {n} 个{kind}：\n{names}",
    },
    found_some={
        "en": "There are more {kind} than I get to see. Some of them:\n{names}",
        "de": "Es gibt mehr {kind}, als ich zu sehen bekomme. Einige davon:\n{names}",
        "zh": "{kind}太多，我看不全。其中一部分：\n{names}",
    },
    counted={
        "en": "All in all {lines} in {files}:",
        "de": "Zusammen {lines} in {files}:",
        "zh": "一共 {files}，{lines}：",
    },
    row={"en": "{kind}: {lines} in {files}", "de": "{kind}: {lines} in {files}", "zh": "{kind}：{files}，{lines}"},
    n_lines={"en": "{n} lines", "de": "{n} Zeilen", "zh": "{n} 行"},
    n_lines_1={"en": "1 line", "de": "1 Zeile", "zh": "1 行"},
    n_files={"en": "{n} files", "de": "{n} Dateien", "zh": "{n} 个文件"},
    n_files_1={"en": "1 file", "de": "1 Datei", "zh": "1 个文件"},
    no_ending={"en": "without an ending", "de": "ohne Endung", "zh": "无扩展名"},
    counted_cut={
        "en": "The list was cut, so that is not all.",
        "de": "Die Liste war gekürzt, das ist also nicht alles.",
        "zh": "列表被截断了，所以这不是全部。",
    },
    nothing_to_count={
        "en": "There are no files here whose lines I could count.",
        "de": "Hier gibt es keine Dateien, deren Zeilen ich zählen könnte.",
        "zh": "这里没有可以统计行数的文件。",
    },
    where={"en": "This is {folder}.", "de": "Das hier ist {folder}.", "zh": "当前文件夹是 {folder}。"},
    names={"en": "It holds {names}.", "de": "Hier liegen: {names}.", "zh": "这里有：{names}。"},
    empty={"en": "It is empty.", "de": "Der Ordner ist leer.", "zh": "这个文件夹是空的。"},
    abilities={
        "en": "More than looking I can't do about this: I'm the course's stand-in, no language model. What I can "
        "play: write a "
        "small script (a greeting, a text in quotes, numbers from 1 to 10, the date) and run it; list the files of a "
        "type; "
        "say which git branch this is; make a folder with some files; run, show or fix a Python script; count lines by "
        "file type.",
        "de": "Mehr als nachsehen kann ich dazu nicht: Ich bin das Double des Kurses, kein Sprachmodell. Spielen "
        "kann ich "
        "das: ein kleines Skript schreiben (Gruß, Text in Anführungszeichen, Zahlen von 1 bis 10, Datum) und "
        "ausführen; "
        "Dateien eines Typs auflisten; den Git-Branch nennen; einen Ordner mit ein paar Dateien anlegen; ein "
        "Python-Skript "
        "ausführen, zeigen oder reparieren; Zeilen nach Dateityp zählen.",
        "zh": "这件事我只能做到这里：我是课程的本地替身，不是语言模型。我能演示的有：写一个小脚本（问候、"
        "引号里的文字、1 到 10 的数字、"
        "日期）并运行；列出某种类型的文件；说出当前 git 分支；创建一个文件夹和几个文件；运行、查看或修复 Python "
        "脚本；按文件类型统计行数。",
    },
    # results that end any job
    seconds={"en": "{n} seconds", "de": "{n} Sekunden", "zh": " {n} 秒"},
    the_limit={"en": "the time limit", "de": "dem Zeitlimit", "zh": "时限"},
    late={
        "en": "This had not ended after {limit} and was stopped: {command}\nUntil then it printed: {output}",
        "de": "Das war nach {limit} nicht zu Ende und wurde abgebrochen: {command}\nBis dahin kam: {output}",
        "zh": "超过{limit}还没有结束，已被终止：{command}\n在那之前的输出：{output}",
    },
    declined={
        "en": "You declined this, so I did not run it and stopped here: {command}\nTell me what to do instead.",
        "de": "Das hast du abgelehnt, also habe ich es nicht ausgeführt und hier aufgehört: {command}\nSag mir, was "
        "ich "
        "stattdessen tun soll.",
        "zh": "你拒绝了这条命令，我没有运行，先停在这里：{command}\n告诉我应该怎么做。",
    },
    nobody={
        "en": "Nothing was run, because nobody is there to approve commands. Start me in a terminal, or with --yes.",
        "de": "Es wurde nichts ausgeführt, weil niemand da ist, der Befehle freigibt. Starte mich in einem Terminal "
        "oder mit "
        "--yes.",
        "zh": "什么都没有运行，因为没有人确认命令。请在终端里启动我，或者加上 --yes。",
    },
    stopped={
        "en": "This was interrupted and may have run in part: {command}\nTell me how to go on.",
        "de": "Das wurde unterbrochen und lief vielleicht nur zum Teil: {command}\nSag mir, wie es weitergehen soll.",
        "zh": "这条命令被中断，可能只运行了一部分：{command}\n告诉我接下来怎么做。",
    },
    failed={
        "en": "This could not be started: {command}\n{output}",
        "de": "Das ließ sich nicht starten: {command}\n{output}",
        "zh": "这条命令无法启动：{command}\n{output}",
    },
    exit_code={
        "en": "I stop here: exit code {code} from {command}\nIt printed: {output}",
        "de": "Hier höre ich auf: Exit-Code {code} von {command}\nDie Ausgabe: {output}",
        "zh": "先停在这里：退出码 {code}，命令是 {command}\n输出：{output}",
    },
)
