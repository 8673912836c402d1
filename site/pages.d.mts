export declare const menu: readonly {
  readonly title: string
  readonly pages: readonly (readonly [source: string, name: string])[]
}[]
