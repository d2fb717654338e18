/** A feature whose schemas have no bounds, as an application may have. */
import { Type } from 'typebox'
import { action } from '../../../../../src/core/feature/action.ts'
import type { Feature } from '../../../../../src/core/feature/feature.ts'
import { route } from '../../../../../src/core/feature/route.ts'

const Sheet = Type.Object({
  cells: Type.Array(Type.Unknown(), { uniqueItems: true }),
  names: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  rows: Type.Optional(
    Type.Array(Type.Array(Type.Union([Type.Integer(), Type.Array(Type.Integer(), { uniqueItems: true })]))),
  ),
})

export const sheetFeature: Feature = {
  name: 'sheet',
  routes: [
    route({
      tag: 'Sheets',
      access: 'user',
      method: 'POST',
      path: '/api/sheets',
      summary: 'Judge a sheet',
      body: Sheet,
      status: 204,
      handle: async () => undefined,
    }),
  ],
  events: { 'sheet.filled': { summary: 'A sheet was filled.', payload: Sheet } },
  actions: { 'sheet.fill': action({ access: 'user', payload: Sheet, run: async () => undefined }) },
}
