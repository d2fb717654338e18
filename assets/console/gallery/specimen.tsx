/** How the page of components is divided: a section for each kind, and in it a card for each state. */
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
  /** Forced on what is inside. */
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

/** One of what it makes for each of the states that a pointer or a key gives. */
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

/** Presses the button inside, to show what a press leads to. */
export function Pressed({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.querySelector<HTMLElement>('button, summary')?.click(), [])
  return <div ref={element}>{children}</div>
}
