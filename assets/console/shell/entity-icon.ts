/** The icon that a definition names, or one that says nothing in particular. */
import type { IconNode } from 'lucide'
import { Layers } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'

/** All of them are loaded as soon as one is needed: the first page does without. */
let icons: Readonly<Record<string, IconNode>> | null = null

/** An entity, an action, or a page of the application. */
interface Drawn {
  console?: { icon?: string | null; iconPath?: string } | undefined
}

/** @returns the icon of what is drawn */
export function useIcons(): (drawn: Drawn) => IconNode {
  const { entities, frames } = useApp()
  const [, redraw] = useState(0)
  const drawn: Drawn[] = [...entities, ...entities.flatMap(({ actions }) => actions)]
  const isNamed = drawn.some(({ console: hints }) => hints?.icon) || frames.some(({ icon }) => icon)
  const isNeeded = icons === null && isNamed
  useEffect(() => {
    if (!isNeeded) return
    let isShown = true
    const show = (loaded: typeof icons) => {
      icons = loaded
      if (isShown) redraw((turn) => turn + 1)
    }
    // Without them a drawing is missing, and nothing else.
    import('./icons.ts').then((module) => show(module.icons)).catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [isNeeded])
  return ({ console: hints }) =>
    hints?.iconPath === undefined ? (icons?.[hints?.icon ?? ''] ?? Layers) : [['path', { d: hints.iconPath }]]
}
