/** What the navigation knows of a page. */
import type { ComponentChildren } from 'preact'

export interface ConsolePage {
  path: string
  label: string
  group: string
  /** Any of them shows the page; none: everybody sees it. */
  permissions: readonly string[]
  /** For a page whose permission every tenant has, and whose rows only the host. */
  isForHost?: true
  show: () => ComponentChildren
}
