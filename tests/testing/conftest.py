collect_ignore = ["examples"]  # what the page "In your own tests" shows; run by test_examples.py
