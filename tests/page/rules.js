// The rules of the textbook in use: no switch is on.

export const RULES = {
  strict: false,
  test_first: false,
  fail_hard: false,
  right_to_left: false,
  name_by_node: false,
};
