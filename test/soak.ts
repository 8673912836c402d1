const share = process.env.PALIMPSEST_SOAK

/** True in `npm run soak`, which runs the long forms. */
export const isSoak: boolean = share !== undefined

/** How often a random test runs: in `npm test`, and in `npm run soak`, or the share of it that `--share` asks for. */
export function runsOf({ short, long }: { readonly short: number; readonly long: number }): number {
  return share === undefined ? short : Math.ceil(long * Number(share))
}
