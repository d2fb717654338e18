/** A section of a row's values or inputs, below its title. A folded section opens by a click on the title. */
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'
import type { Section } from './layout.ts'

interface FrameProps {
  section: Section
  /** The number of faulty fields in it. If there are any, the section opens. */
  faults?: number
  children: ComponentChildren
}

export function SectionFrame({ section, faults = 0, children }: FrameProps) {
  const { title, description, isFolded } = section
  // The text ends with a colon, because above a form it introduces the names of fields.
  const heading = title !== null && (
    <h2>
      {title}{' '}
      {faults > 0 && <span class="badge bad">{text.form.toCorrect(faults).replace(/\s?:$/, '')}</span>}
    </h2>
  )
  const content = [description !== null && <p class="soft">{description}</p>, children]
  if (!isFolded) return [heading, ...content]
  return (
    <details class="folded" open={faults > 0}>
      <summary>{heading}</summary>
      <div class="stack">{content}</div>
    </details>
  )
}
