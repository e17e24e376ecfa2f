"""Sudoku the slow and obvious way: lists, loops and backtracking."""


def solutions(rows, box):
    """Every completion of a board of digits (0 for unknown), one list of rows after another."""
    size = box * box
    rows = [list(row) for row in rows]
    for row in range(size):
        for column in range(size):
            if rows[row][column] == 0:
                for digit in range(1, size + 1):
                    if fits(rows, box, row, column, digit):
                        rows[row][column] = digit
                        yield from solutions(rows, box)
                rows[row][column] = 0
                return
    if value(rows, box) == 0:
        yield rows


def fits(rows, box, row, column, digit):
    """Whether no other cell of the row, the column and the block has the digit."""
    size = box * box
    for index in range(size):
        if rows[row][index] == digit or rows[index][column] == digit:
            return False
    first_row, first_column = row // box * box, column // box * box
    for r in range(first_row, first_row + box):
        for c in range(first_column, first_column + box):
            if rows[r][c] == digit:
                return False
    return True


def value(rows, box):
    """|count − 1| summed over the digits of every row, column and block of a complete board."""
    size = box * box
    total = 0
    for number in range(size):
        row = [rows[number][column] for column in range(size)]
        column = [rows[row][number] for row in range(size)]
        first_row, first_column = number // box * box, number % box * box
        block = [rows[first_row + r][first_column + c] for r in range(box) for c in range(box)]
        for digit in range(1, size + 1):
            for unit in (row, column, block):
                total += abs(unit.count(digit) - 1)
    return total
