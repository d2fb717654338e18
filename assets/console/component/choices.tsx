/** Some of several names, as boxes to tick. */
interface ChoicesProps {
  label: string
  names: readonly string[]
  chosen: readonly string[]
  /** What may not be changed, and why. */
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
