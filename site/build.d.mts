export declare function buildSite(options: {
  readonly root: string
  readonly output: string
}): readonly string[]
