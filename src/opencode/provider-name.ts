/** The provider that answers commands. It is inside this process: no call leaves the machine, and none costs anything. */
export const providerName = 'palimpsest'
