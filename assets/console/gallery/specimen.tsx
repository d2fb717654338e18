/** The parts of the gallery: a section for each kind of component, and in it a card for each state. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useUniqueId } from '../component/unique-id.ts'

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useUniqueId()
  return (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

const states = ['hover', 'pressed', 'focus'] as const
type State = (typeof states)[number]

interface SpecimenProps {
  name: string
  /** The state that is forced on the component. */
  state?: State
  direction?: 'rtl'
  children: ComponentChildren
}

export function Specimen({ name, state, direction, children }: SpecimenProps) {
  return (
    <div class="card stack" data-specimen={name}>
      <p class="soft">{name}</p>
      <div data-state={state} dir={direction}>
        {children}
      </div>
    </div>
  )
}

/** Shows a component once for each state that the pointer or a key causes. */
export function InEachState({ show }: { show: (state: string) => ComponentChildren }) {
  return (
    <>
      <Specimen name="usual">{show('usual')}</Specimen>
      {states.map((state) => (
        <Specimen key={state} name={state} state={state}>
          {show(state)}
        </Specimen>
      ))}
    </>
  )
}

/** Presses the button inside, to show the result of a press. */
export function Pressed({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.querySelector<HTMLElement>('button, summary')?.click(), [])
  return <div ref={element}>{children}</div>
}
