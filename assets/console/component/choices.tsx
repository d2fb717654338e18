/** A group of checkboxes to choose some of several names. */
interface ChoicesProps {
  label: string
  names: readonly string[]
  chosen: readonly string[]
  /** @returns why the box of a name cannot be changed; `null` if it can */
  refusal?: (name: string) => string | null
  hintOf?: (name: string) => string | undefined
  onChange: (chosen: string[]) => void
}

export function Choices({ label, names, chosen, refusal, hintOf, onChange }: ChoicesProps) {
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name])
  return (
    <fieldset class="choices">
      <legend class="label">{label}</legend>
      {names.map((name) => {
        const reason = refusal?.(name) ?? null
        return (
          <label key={name} class="choice" title={reason ?? undefined}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={reason !== null}
              onChange={() => toggle(name)}
            />
            <span>
              {name} <span class="soft">{hintOf?.(name)}</span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
