/** Reads and changes the views that users have saved. */
import { get, request } from '../api.ts'
import type { EntityDescription } from '../describe.ts'
import type { StoredView } from './views.ts'

/** @throws ApiError */
export function loadViews({ name }: EntityDescription): Promise<StoredView[]> {
  return get('/api/views', { query: { entity: name } })
}

/** @param id of the view to change; `null` to create one @throws ApiError */
export async function saveView(id: string | null, body: object): Promise<StoredView> {
  const saved =
    id === null
      ? await request<StoredView>('POST', '/api/views', { body })
      : await request<StoredView>('PATCH', `/api/views/${id}`, { body })
  return saved.body
}

/** @throws ApiError */
export async function deleteView(id: string): Promise<void> {
  await request('DELETE', `/api/views/${id}`)
}
