"""What the calendar scene says, in three languages."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

from .answers import Reply, say
from .conversation import Conversation
from .wording import Texts

FREQUENCIES = {
    "en": {"daily": "daily", "weekly": "weekly", "monthly": "monthly", "yearly": "yearly"},
    "de": {"daily": "täglich", "weekly": "wöchentlich", "monthly": "monatlich", "yearly": "jährlich"},
    "zh": {"daily": "每天", "weekly": "每周", "monthly": "每月", "yearly": "每年"},
}
TEXTS = Texts(
    which_date={
        "en": "I don't know today's date, so I can't tell which day you mean. What date is it, as in 2027-09-06?",
        "de": "Ich kenne das heutige Datum nicht und weiß deshalb nicht, welchen Tag du meinst. Welches Datum ist es, zum Beispiel 06.09.2027?",
        "zh": "我不知道今天的日期，没法确定你说的是哪一天。请告诉我具体日期，比如 2027-09-06，好吗？",
    },
    which_day={
        "en": "On which day should it be?",
        "de": "An welchem Tag soll es sein?",
        "zh": "你想安排在哪一天？",
    },
    which_time={
        "en": "At what time should it start?",
        "de": "Um wie viel Uhr soll es losgehen?",
        "zh": "几点开始？",
    },
    which_day_and_time={
        "en": "On which day and at what time should it be?",
        "de": "An welchem Tag und um wie viel Uhr soll es sein?",
        "zh": "你想安排在哪一天、几点？",
    },
    how_often={
        "en": "How many times should it take place?",
        "de": "Wie oft soll der Termin insgesamt stattfinden?",
        "zh": "一共要重复多少次？",
    },
    cannot_look={
        "en": "I can't look into your calendar with the tools I have; I can only add events to it.",
        "de": "Mit meinen Tools kann ich nicht in deinen Kalender sehen, nur Termine eintragen.",
        "zh": "我现有的工具不能查看你的日历，只能添加日程。",
    },
    cannot_book={
        "en": "I can look into your calendar, but none of my tools adds events to it.",
        "de": "Ich kann in deinen Kalender sehen, aber keines meiner Tools trägt Termine ein.",
        "zh": "我可以查看你的日历，但没有添加日程的工具。",
    },
    not_booked={
        "en": "All right, I book nothing.",
        "de": "In Ordnung, ich trage nichts ein.",
        "zh": "好的，我不安排。",
    },
    past={
        "en": "That day is over. On which day should it be?",
        "de": "Dieser Tag ist schon vorbei. An welchem Tag soll es sein?",
        "zh": "那一天已经过去了。你想安排在哪一天？",
    },
    only_first={
        "en": "I make at most {count} single events at a time; {left} more are not booked yet.",
        "de": "Ich lege höchstens {count} einzelne Termine auf einmal an; {left} weitere sind noch nicht eingetragen.",
        "zh": "我一次最多逐个创建 {count} 个日程，还有 {left} 个没有安排。",
    },
    all_day={"en": "all day", "de": "ganztägig", "zh": "全天"},
    cannot_change={
        "en": "None of my tools changes or removes events.",
        "de": "Keines meiner Tools kann Termine ändern oder löschen.",
        "zh": "我没有可以修改或删除日程的工具。",
    },
    who={
        "en": "I don't have all the e-mail addresses. Whom should I invite?",
        "de": "Mir fehlen die E-Mail-Adressen. Wen soll ich einladen?",
        "zh": "我没有这些人的邮箱地址。要邀请哪些人？",
    },
    not_invited={
        "en": "I could not invite {who}.",
        "de": "Einladen konnte ich {who} nicht.",
        "zh": "没能邀请 {who}。",
    },
    no_reminder={
        "en": "I can't set a reminder with the tools I have.",
        "de": "Eine Erinnerung kann ich mit meinen Tools nicht einrichten.",
        "zh": "我现有的工具不能设置提醒。",
    },
    seen={
        "en": "I have looked at {days}.",
        "de": "Angesehen habe ich {days}.",
        "zh": "我查看过：{days}。",
    },
    no_zones={
        "en": "I can't convert time zones with the tools I have: all times here are local. What time is it for you?",
        "de": "Mit meinen Tools kann ich keine Zeitzonen umrechnen: Alle Zeiten hier sind Ortszeit. Wie viel Uhr ist das bei dir?",
        "zh": "我现有的工具不能换算时区，这里的时间都是你当地的时间。按你当地的时间是几点？",
    },
    look_failed={
        "en": "I couldn't read your calendar: {error}. Shall I try again?",
        "de": "Ich konnte deinen Kalender nicht lesen: {error}. Soll ich es noch einmal versuchen?",
        "zh": "我没能读取你的日历：{error}。要再试一次吗？",
    },
    is_free={
        "en": "You are free on {slot}.",
        "de": "Frei bist du am {slot}.",
        "zh": "你有空的时间：{slot}。",
    },
    nothing_free={
        "en": "I found no free time of that length there, so I booked nothing.",
        "de": "Ich habe in dieser Zeit keine passende Lücke gefunden und deshalb nichts eingetragen.",
        "zh": "这段时间里没有足够长的空档，所以我没有安排。",
    },
    offer={
        "en": "You would be free on {slot}. Shall I book that?",
        "de": "Frei wärst du am {slot}. Soll ich das eintragen?",
        "zh": "{slot} 有空，要安排在那时吗？",
    },
    full={
        "en": "There is no gap long enough on {days}.",
        "de": "Am {days} ist keine passende Lücke frei.",
        "zh": "{days}没有足够长的空档。",
    },
    free_then={
        "en": "Yes, you are free on {day} at {time}.",
        "de": "Ja, am {day} um {time} Uhr bist du frei.",
        "zh": "有空，{day} {time} 没有安排。",
    },
    busy_then={
        "en": "No, on {day} at {time} you have {title}.",
        "de": "Nein, am {day} um {time} Uhr hast du schon etwas vor: {title}.",
        "zh": "没空，{day} {time} 已有安排：{title}。",
    },
    quietest={
        "en": "The quietest day is {day}.",
        "de": "Am ruhigsten ist {day}.",
        "zh": "最空的一天是 {day}。",
    },
    busiest={"en": "The busiest day is {day}.", "de": "Am vollsten ist {day}.", "zh": "最忙的一天是 {day}。"},
    alike={"en": "They are all alike.", "de": "Sie sind alle gleich.", "zh": "这几天都一样。"},
    day_free={"en": "{day}: nothing planned.", "de": "{day}: nichts geplant.", "zh": "{day}：没有安排。"},
    day_plan={"en": "{day}: {events}.", "de": "{day}: {events}.", "zh": "{day}：{events}。"},
    quoted={"en": "Your calendar says: {text}", "de": "In deinem Kalender steht: {text}", "zh": "你的日历里有：{text}"},
    title={"en": '"{title}"', "de": "„{title}“", "zh": "“{title}”"},
    booked={
        "en": "Done, I've booked {event}.",
        "de": "Erledigt, eingetragen ist {event}.",
        "zh": "已安排好：{event}。",
    },
    booked_several={
        "en": "Done, I've booked:\n{events}",
        "de": "Erledigt, eingetragen sind:\n{events}",
        "zh": "已安排好：\n{events}",
    },
    on={"en": " on {day}", "de": " am {day}", "zh": "，{day}"},
    **{"from": {"en": " from {day}", "de": " ab {day}", "zh": "，从 {day}起"}},
    times={"en": "{count} times", "de": "{count}-mal", "zh": "共 {count} 次"},
    people={"en": "{count} people", "de": "{count} Personen", "zh": "{count} 人"},
    **{"with": {"en": "with {who}", "de": "mit {who}", "zh": "参会人：{who}"}},
    strangers={
        "en": "I have no e-mail address for {names}, so no invitation went there. What is it?",
        "de": "Für {names} habe ich keine E-Mail-Adresse und konnte deshalb nicht einladen. Wie lautet sie?",
        "zh": "我没有{names}的邮箱地址，所以没有发出邀请。能告诉我地址吗？",
    },
    split={
        "en": "One event takes at most {limit} people, so I'll make {count} events at the same time.",
        "de": "Ein Termin fasst höchstens {limit} Personen, deshalb lege ich {count} Termine zur selben Zeit an.",
        "zh": "一个日程最多 {limit} 人，我来分成 {count} 个同时进行的日程。",
    },
    was_split={
        "en": "One event takes at most {limit} people, so I made {count} events at the same time.",
        "de": "Ein Termin fasst höchstens {limit} Personen, deshalb sind es {count} Termine zur selben Zeit geworden.",
        "zh": "一个日程最多 {limit} 人，所以我分成了 {count} 个同时进行的日程。",
    },
    failed={
        "en": "That did not work: {error}. How would you like to go on?",
        "de": "Das hat nicht geklappt: {error}. Wie möchtest du weitermachen?",
        "zh": "没有成功：{error}。你想怎么处理？",
    },
)


def tell(conversation: Conversation, name: str, **values: object) -> Reply:
    """A reply of one sentence, in the language of the prompt, that ends the turn."""
    return say(TEXTS.get(conversation.language, name, **values))
