"""Sentences in three languages: choosing, joining, listing."""

AND = {"en": " and ", "de": " und ", "zh": "和"}
OR = {"en": " or ", "de": " oder ", "zh": "或"}


class Texts:
    """Sentences by name and language: Texts(hello={"en": ..., "de": ..., "zh": ...})."""

    def __init__(self, **texts: dict[str, str]) -> None:
        self.texts = texts

    def get(self, language: str, name: str, **values: object) -> str:
        return self.texts[name][language].format(**values)


def join(parts: list[str], language: str, last: str = "and") -> str:
    """Return "a, b and c" in the language."""
    if len(parts) < 2:
        return "".join(parts)
    comma = "、" if language == "zh" else ", "
    return comma.join(parts[:-1]) + (OR if last == "or" else AND)[language] + parts[-1]


def phrase(sentences: list[str], language: str) -> str:
    """Put sentences side by side, with a space between them where the language has one."""
    return ("" if language == "zh" else " ").join(sentence for sentence in sentences if sentence)
