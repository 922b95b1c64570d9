"""What `course stick` puts on a USB stick, so that a room without a network can install the course.

contents.py   the repository as a ZIP, the site, the README
wheels.py     the packages, for each system and Python

Nothing here prints. Whatever cannot be done is a Problem, which says so in one sentence.
"""

ARCHIVE = "agent-loop-course.zip"
FOLDER = "agent-loop-course"  # what the archive unpacks to
SITE = "site"
WHEELS = "wheels"
READMES = {"en": "README.txt", "zh": "README.zh.txt", "de": "README.de.txt"}


class Problem(Exception):
    """Why the stick cannot be made, in the reader's language."""
