"""Row changes for subscribers: what they ask for, which rows match, who may see them, how they look."""
