/** The ages, in requests, at which a result is checked. */
export const checkedAges: readonly number[] = [1, 3, 6, 10, 15, 20, 25, 32, 40, 50, 60, 75, 90, 120]

/** Shorter results are not checked, because a short form would save almost nothing. */
export const leastAskedChars = 1500
