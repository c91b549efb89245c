"""Write the golden traces anew: for each tree that ships, every step of alpha-beta as text (`make
golden`).

Look at the difference before committing it: a golden trace changes only when a tree, the search or
a sentence does.
"""

from pathlib import Path

from abviz import load, shipped, trace

FOLDER = Path(__file__).parent / "golden"


def golden(name: str) -> str:
    return f"{trace(load(name))}\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in set(FOLDER.glob("*.txt")) - {FOLDER / f"{name}.txt" for name in shipped()}:
        old.unlink()
        print(f"{old.name}: removed")
    for name in shipped():
        path = FOLDER / f"{name}.txt"
        before, after = path.read_text("utf-8") if path.exists() else "", golden(name)
        if before != after:
            path.write_text(after, "utf-8")
            print(f"{path.name}: {'changed' if before else 'written'}")
    print(f"{len(shipped())} golden traces in {FOLDER}")


if __name__ == "__main__":
    main()
