/** A row of buttons of which one is chosen. */
interface SegmentsProps<N extends string> {
  label: string
  options: readonly (readonly [name: N, label: string])[]
  value: N
  onChange: (name: N) => void
}

export function Segments<N extends string>({ label, options, value, onChange }: SegmentsProps<N>) {
  return (
    <fieldset class="segments end" aria-label={label}>
      {options.map(([name, words]) => (
        <button type="button" key={name} aria-pressed={name === value} onClick={() => onChange(name)}>
          {words}
        </button>
      ))}
    </fieldset>
  )
}
