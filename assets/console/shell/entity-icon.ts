/** The icon that the service sends for an entity, an action or a page of the application. */
import type { IconNode } from 'lucide'
import { Layers } from 'lucide'

/** @param path of the icon; without one it says nothing in particular */
export function iconOf(path: string | null | undefined): IconNode {
  return path ? [['path', { d: path }]] : Layers
}
