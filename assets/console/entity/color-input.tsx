/** The input for a colour: one of the ready colours, one from the browser's picker, or a typed one such as #1a2b3c. */
import type { ControlProps } from '../component/field.tsx'
import type { FieldDescription } from '../describe.ts'
import { text } from '../text/text.ts'

/** The ready colours. White text is readable on each of them. */
const ready = {
  iris: '#5b5bd6',
  blue: '#0b68b8',
  teal: '#0b6e69',
  green: '#2f7a36',
  brown: '#8a5000',
  red: '#c0262c',
  pink: '#b02a75',
  slate: '#43505f',
} as const
const readyColors = Object.entries(ready) as [keyof typeof ready, string][] // `entries` forgets the names
const written = /^#[0-9a-f]{6}$/i
/** Matches the pattern of a schema that allows only such colours. */
const ofColors = /^\^#\[[^\]]+\]\{6\}\$$/

export function isOfColor({ schema: { pattern = '' }, widget }: FieldDescription): boolean {
  return widget?.kind === 'color' || (widget === undefined && ofColors.test(pattern))
}

export function isColor(value: unknown): value is string {
  return typeof value === 'string' && written.test(value)
}

interface ColorProps {
  control: ControlProps
  value: unknown
  /** Whether there is room for the ready colours. */
  isSpacious?: boolean
  onChange: (value: string) => void
}

export function ColorInput({ control, value, isSpacious = false, onChange }: ColorProps) {
  const shown = typeof value === 'string' ? value : ''
  return (
    <>
      {isSpacious && <ReadyColors id={control.id} chosen={shown.toLowerCase()} onChange={onChange} />}
      <span class="color-input">
        <input
          type="color"
          class={isColor(shown) ? undefined : 'is-empty'}
          aria-label={text.brand.pickColor}
          value={isColor(shown) ? shown : '#ffffff'}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <input
          {...control}
          type="text"
          class="figures"
          spellcheck={false}
          autocomplete="off"
          value={shown}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </span>
    </>
  )
}

function ReadyColors({
  id,
  chosen,
  onChange,
}: {
  id: string
  chosen: string
  onChange: ColorProps['onChange']
}) {
  return (
    <span
      class="ready-colors"
      role="radiogroup"
      aria-label={text.brand.readyColors}
      aria-describedby={`${id}-label`}
    >
      {readyColors.map(([name, color]) => (
        <input
          key={name}
          type="radio"
          name={`${id}-ready`}
          style={{ backgroundColor: color }}
          aria-label={text.brand.colors[name]}
          title={text.brand.colors[name]}
          checked={chosen === color}
          onChange={() => onChange(color)}
        />
      ))}
    </span>
  )
}
