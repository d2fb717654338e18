/** A list of the values of one object: a label and its value in each line. */
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'

interface ValuesProps {
  /** `false` leaves a line out. */
  values: readonly (readonly [label: string, value: ComponentChildren] | false)[]
  isCard?: boolean
}

export function Values({ values, isCard = false }: ValuesProps) {
  return (
    <dl class={isCard ? 'values card' : 'values'}>
      {values.map((line) => {
        if (line === false) return null
        const [label, value] = line
        const isNone =
          value === null ||
          value === undefined ||
          value === '' ||
          (Array.isArray(value) && value.length === 0)
        return [
          <dt key={`${label}-name`}>{label}</dt>,
          <dd key={label}>{isNone ? <span class="soft">{text.state.none}</span> : value}</dd>,
        ]
      })}
    </dl>
  )
}
