/** A section of a row, to be read or to be changed: below its title, or behind it. */
import type { ComponentChildren } from 'preact'
import type { Section } from './layout.ts'

interface FrameProps {
  section: Section
  /** Whether one that begins closed is open, as for a fault in it. */
  isOpen?: boolean
  children: ComponentChildren
}

export function SectionFrame({ section, isOpen = false, children }: FrameProps) {
  const { title, description, isFolded } = section
  const heading = title !== null && <h2>{title}</h2>
  const content = [description !== null && <p class="soft">{description}</p>, children]
  if (!isFolded) return [heading, ...content]
  return (
    <details class="folded" open={isOpen}>
      <summary>{heading}</summary>
      <div class="stack">{content}</div>
    </details>
  )
}
