"""Where this comes from: the papers, the glossary, how to cite."""
