/** Loads the pages and panels of the application from `GET /api/console`. */
import { get } from '../api.ts'
import type { App } from '../app-context.ts'
import type { FrameDescription } from './description.ts'

/** The page says whether the application has any; if not, nothing is requested. */
export async function loadFrames(): Promise<readonly FrameDescription[]> {
  if (!('frames' in document.documentElement.dataset)) return []
  return get<FrameDescription[]>('/api/console')
}

export function framesAt(
  { frames }: App,
  place: FrameDescription['place'],
  entity: string | null = null,
): FrameDescription[] {
  return frames.filter((each) => each.place === place && each.entity === entity)
}
