/** Selects the members of rows in a list: all that the caller may read, or those in the parameter `fields`. */
import { chosenNames } from '../core/page.ts'
import { LruMap } from '../database/lru-map.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import { readableModel } from '../database/read/readable.ts'
import type { Selection } from '../database/read/selection.ts'
import type { RowReach } from '../database/row-reach.ts'
import type { Values } from './row.ts'

/** Prepared statements are cached by the object of their selection: equal requests must get the same object. */
const maxSelections = 100
const selections = new WeakMap<ReadModel, LruMap<string, Selection>>()

/**
 * @param reach what the rules let the caller read; `null` for code that reads everything
 * @param listed the members that rows of a list have; without it, all
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
  const key = `${listed === undefined ? '*' : [...listed].join()}|${text}` // no member has such a character in its name
  let selection = ofModel.get(key)
  if (selection === undefined) {
    const rowOf = (from: ReadModel) => wholeRow(from).filter(({ as }) => listed?.has(as) !== false)
    selection = text === '' ? rowOf(view) : chosen(text, rowOf(model), rowOf(view))
    ofModel.set(key, selection)
  }
  return selection
}

/**
 * A member that the caller may not read stays in the selection, so that the read is refused instead of leaving it out.
 * @param all the members of rows @param readable those that the caller reads: a list among them lacks hidden members
 */
function chosen(text: string, all: Selection, readable: Selection): Selection {
  const read = new Map(readable.map((selected) => [selected.as, selected]))
  const whole = all.map((selected) => read.get(selected.as) ?? selected)
  const names = chosenNames(
    text,
    whole.map(({ as }) => as),
  )
  return whole.filter(({ as }) => names.has(as))
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
