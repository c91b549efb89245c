"""The filter of system calls, run by an interpreter of its own, for both kinds of processor."""

import struct

import pytest

from abviz.exercises.system_calls import NEWER, PROCESSORS, _program

ALLOWED = 0x7FFF0000
FAILS_WITH_EPERM = 0x00050001

LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06


def verdict(program, architecture, number, request=0):
    """Return what the kernel would do with a system call."""
    call = struct.pack("<IIQQQ", number, architecture, 0, 0, request)
    instructions = list(struct.iter_unpack("<HBBI", program))
    value = place = 0
    while True:
        code, if_true, if_false, operand = instructions[place]
        place += 1
        if code == LOAD:
            (value,) = struct.unpack_from("<I", call, operand)
        elif code == AND:
            value &= operand
        elif code == EQUAL:
            place += if_true if value == operand else if_false
        elif code == AT_LEAST:
            place += if_true if value >= operand else if_false
        else:
            assert code == RETURN
            return operand


@pytest.mark.parametrize("name", PROCESSORS)
def test_these_calls_and_no_others_are_refused(name):
    processor = PROCESSORS[name]
    program = _program(processor)
    refused = {
        number
        for number in range(1000)
        if verdict(program, processor.architecture, number) == FAILS_WITH_EPERM
    }
    assert refused == {*processor.calls.values(), *NEWER.values()}

    others = set(range(1000)) - refused
    verdicts = {verdict(program, processor.architecture, number) for number in others}
    assert verdicts == {ALLOWED}


@pytest.mark.parametrize("name", PROCESSORS)
def test_no_call_of_another_interface_passes(name):
    processor = PROCESSORS[name]
    program = _program(processor)
    i386, arm = 0x40000003, 0x40000028
    for architecture in (i386, arm):
        assert verdict(program, architecture, 15) == FAILS_WITH_EPERM

    chmod_of_x32 = 0x40000000 + 90
    assert verdict(program, processor.architecture, chmod_of_x32) == FAILS_WITH_EPERM


@pytest.mark.parametrize("name", PROCESSORS)
@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (0x5413, ALLOWED),  # the size of a terminal
        (0x541B, ALLOWED),  # how much there is to read
        (0x40049409, ALLOWED),  # copying a file without its blocks
        (0x40086602, FAILS_WITH_EPERM),  # the attributes of a file, such as "immutable"
        (0x40046602, FAILS_WITH_EPERM),  # the same, of 32 bits
        (0x401C5820, FAILS_WITH_EPERM),  # more attributes
        (0x1_0000_0000 + 0x40086602, FAILS_WITH_EPERM),  # the kernel reads 32 bits only
    ],
)
def test_an_ioctl_sets_no_attributes_of_files(name, request_, expected):
    processor = PROCESSORS[name]
    program = _program(processor)
    assert verdict(program, processor.architecture, processor.ioctl, request_) == expected
