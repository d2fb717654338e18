/** The members of the rows of a list: all that the caller reads, or those that the parameter `fields` names. */
import { invalidField } from '../core/errors.ts'
import { suggestion } from '../core/names.ts'
import { LruMap } from '../database/lru-map.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import { readableModel } from '../database/read/readable.ts'
import type { Selection } from '../database/read/selection.ts'
import type { RowReach } from '../database/row-reach.ts'
import type { Values } from './row.ts'

/** Statements are kept by selection, so that a selection is made once. */
const maxSelections = 100
const selections = new WeakMap<ReadModel, LruMap<string, Selection>>()

/**
 * All members that the caller reads, or those that the caller names.
 * @throws ServiceError `invalid` for a member that rows do not have
 */
export function selectionOf(
  { fields }: Values,
  model: ReadModel,
  { reach, listed }: { reach: RowReach | null; listed?: ReadonlySet<string> | undefined },
): Selection {
  const text = typeof fields === 'string' ? fields : ''
  const view = readableModel(model, reach)
  const ofModel = selections.get(view) ?? new LruMap<string, Selection>(maxSelections)
  selections.set(view, ofModel)
  let selection = ofModel.get(text)
  if (selection === undefined) {
    const isListed = ({ as }: { as: string }) => listed?.has(as) !== false
    selection = (text === '' ? wholeRow(view) : chosen(text, model, view)).filter(isListed)
    ofModel.set(text, selection)
  }
  return selection
}

/** A member that the caller does not read stays in the selection: whoever reads it is refused. */
function chosen(text: string, model: ReadModel, view: ReadModel): Selection {
  const names = new Set(text.split(',').map((name) => name.trim()))
  const read = new Map(wholeRow(view).map((selected) => [selected.as, selected]))
  const whole = wholeRow(model).map((selected) => read.get(selected.as) ?? selected)
  for (const name of names) {
    if (!whole.some(({ as }) => as === name))
      throw invalidField(
        'fields',
        notKnown(
          name,
          'not a member of a row',
          whole.map(({ as }) => as),
        ),
      )
  }
  return whole.filter(({ as }) => names.has(as))
}

export function notKnown(word: string, what: string, known: Iterable<string>): string {
  const name = word.replace(/^-/, '').slice(0, 100)
  return `${name} is ${what}${suggestion(name, known)}`
}

/** The members of a row as REST returns it: lists with their rows, references by their ids. */
export function wholeRow(model: ReadModel): Selection {
  const fields = [...model.fields.values()].map(
    (field) => ({ kind: 'field', as: field.name, field }) as const,
  )
  const lists = [...model.relations.values()]
    .filter(({ kind }) => kind === 'many')
    .map(
      (relation) =>
        ({ kind: 'relation', as: relation.name, relation, selection: wholeRow(relation.entity) }) as const,
    )
  const isLast = ({ as }: { as: string }) => as === 'createdAt' || as === 'updatedAt'
  return [...fields.filter((field) => !isLast(field)), ...lists, ...fields.filter(isLast)]
}
