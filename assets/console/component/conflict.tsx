/** A dialog for members that two users have changed at the same time: for each, one of both values is chosen. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../text/text.ts'
import { Dialog } from './dialog.tsx'
import { useUniqueId } from './unique-id.ts'
import type { Conflict } from './versioned-form.ts'

export interface Difference {
  /** The name of the member. */
  name: string
  label: string
  yours: ComponentChildren
  theirs: ComponentChildren
}

interface ConflictProps {
  title?: string
  /** The members that both users have changed. */
  differences: readonly Difference[]
  conflict: Pick<Conflict<unknown>, 'resolve' | 'keepTheirs' | 'close'>
}

type Side = 'yours' | 'theirs'
const sides = ['yours', 'theirs'] as const

export function ConflictDialog({ title = text.form.conflictTitle, differences, conflict }: ConflictProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map())
  const id = useUniqueId()
  const kept = differences.flatMap(({ name }) => (chosen.get(name) === 'yours' ? [name] : []))
  return (
    <Dialog title={title} onClose={conflict.close}>
      <p>{text.form.conflictText}</p>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">{text.list.field}</th>
              {sides.map((side) => (
                <th scope="col" key={side}>
                  {text.form[side]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differences.map(({ name, label, ...values }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                {sides.map((side) => (
                  <td key={side}>
                    <span class="choice">
                      <input
                        type="radio"
                        name={`${id}-${name}`}
                        aria-label={`${label}: ${text.form[side]}`}
                        checked={chosen.get(name) === side}
                        onChange={() => setChosen(new Map([...chosen, [name, side]]))}
                      />
                      <span>{values[side]}</span>
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="dialog-foot">
        <button type="button" onClick={conflict.keepTheirs}>
          {text.form.keepTheirs}
        </button>
        <button
          type="button"
          class="main"
          disabled={differences.some(({ name }) => !chosen.has(name))}
          onClick={() => conflict.resolve(kept)}
        >
          {text.action.save}
        </button>
      </div>
    </Dialog>
  )
}
