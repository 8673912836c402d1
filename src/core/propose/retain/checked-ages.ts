/** After so many requests that showed a result, it is asked whether it will be needed again. */
export const checkedAges: readonly number[] = [1, 3, 6, 10, 15, 20, 25, 32, 40, 50, 60, 75, 90, 120]

/** Results of fewer characters are not asked about: a shorter form would save next to nothing. */
export const leastAskedChars = 1500
