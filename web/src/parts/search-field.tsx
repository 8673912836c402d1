interface SearchFieldProps {
  readonly value: string
  readonly placeholder?: string
  search(text: string): void
}

/** The field that filters a list. */
export function SearchField({ value, placeholder, search }: SearchFieldProps) {
  return (
    <label class="field grow">
      <span>Search</span>
      <input
        type="search"
        value={value}
        placeholder={placeholder}
        onInput={(event) => search(event.currentTarget.value)}
      />
    </label>
  )
}
