/** Pages and panels of the application, as `GET /api/console` describes them. */
import { get } from '../api.ts'
import type { App } from '../app-context.ts'
import type { FrameDescription } from './description.ts'

/** Nothing is asked for where the application has none: the page says whether it has. */
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
