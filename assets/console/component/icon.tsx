/** An icon of 16 pixels beside words. It is hidden from screen readers, which read the words. */
import type { IconNode } from 'lucide'
import { h } from 'preact'

export function Icon({ node, class: name }: { node: IconNode; class?: string }) {
  return (
    <svg class={name === undefined ? 'icon' : `icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
      {node.map(([tag, attributes], index) => h(tag, { key: index, ...attributes }))}
    </svg>
  )
}
