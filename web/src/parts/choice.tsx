interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, label: string])[]
  choose(value: Value): void
}

/** A few options side by side, one of which is selected. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, choose } = props
  return (
    <fieldset class="choice">
      <legend class="sr-only">{label}</legend>
      {options.map(([each, text]) => (
        <button type="button" key={each} aria-pressed={each === value} onClick={() => choose(each)}>
          {text}
        </button>
      ))}
    </fieldset>
  )
}
