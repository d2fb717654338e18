/** Draws the icon that the service sends for an entity, an action or a page of the application. */
import type { IconNode } from 'lucide'
import { Layers } from 'lucide'

/** @returns the icon; without a path, a neutral one */
export function iconOf(path: string | null | undefined): IconNode {
  return path ? [['path', { d: path }]] : Layers
}
