/** The figure of an entity on the console's home page: checked when it is defined, and read for each caller. */
import type { Context } from '../../core/context.ts'
import type { ConsoleHints } from '../../core/feature/console-hints.ts'
import type { TimeAllowance } from '../../database/executor.ts'
import { readGroups } from '../../database/read/aggregate.ts'
import type { Filter } from '../../database/read/filter.ts'
import type { ReadModel } from '../../database/read/read-model.ts'
import { readsAll } from '../../database/read/readable.ts'
import type { FieldSpec } from '../field.ts'
import type { FilterParameter } from '../filter.ts'
import { withMe } from '../user-reference.ts'
import type { HintCheck } from './hint-check.ts'
import type { AnyConsoleOptions } from './options.ts'

type HomeOptions = NonNullable<AnyConsoleOptions['home']>

export interface CheckedFigure {
  of: 'count' | 'sum' | 'avg'
  /** The member whose values make the figure; `null` for a count of rows. */
  member: string | null
  conditions: readonly FigureCondition[]
  hint: NonNullable<ConsoleHints['home']>
}

interface FigureCondition {
  filter: FilterParameter
  text: string
  /** The kind of the field: the text of a day or a moment may be `today-7`. */
  kind: FieldSpec['kind'] | null
}

const homeNames = { figure: 0, label: 0, if: 0 } satisfies Record<keyof HomeOptions, 0>
const dayMs = 24 * 60 * 60 * 1000

/** @throws Error for an unknown name, with the nearest known one, or a field without numbers */
export function figureOf(check: HintCheck, home: HomeOptions): CheckedFigure {
  check.requireMembers('console.home', home, homeNames)
  const { figure, label, if: condition = {} } = home
  const place = 'console.home.figure'
  const [, of, field] = /^(sum|avg)\((.*)\)$/.exec(figure) ?? []
  if (field === undefined && figure !== 'count')
    check.fields.oneOf(place, figure, ['count', 'sum(field)', 'avg(field)'], 'no figure')
  const member = field === undefined ? null : check.fields.named(place, field, ['money', 'integer']).member
  const parameters = check.condition('console.home.if', condition)
  return {
    of: of === 'sum' || of === 'avg' ? of : 'count',
    member,
    conditions: check.compared(parameters),
    hint: {
      figure: member === null ? figure : `${of}(${member})`,
      ...(label !== undefined && { label }),
      ...(home.if !== undefined && { if: parameters }),
    },
  }
}

/**
 * @returns an exact decimal number; `null` for an average of no rows, and if a member is one that the caller may not
 * read
 * @throws StatementTimedOut, DatabaseBusy
 */
export async function readFigure(
  context: Context,
  { of, member, conditions }: CheckedFigure,
  { model, time }: { model: ReadModel; time: TimeAllowance },
): Promise<string | null> {
  const { data } = context
  const field = member === null ? undefined : model.fields.get(member)
  const filter: Filter = {
    kind: 'and',
    parts: conditions.map((condition) =>
      condition.filter.read(comparedValue(context, condition), context, model),
    ),
  }
  const fields = field === undefined ? [] : [field]
  if (!readsAll(data.reach, { filter, fields })) return null
  const values = of === 'count' ? [] : fields.map((each) => ({ of, field: each }))
  const request = { entity: model, filter, groupBy: [], values, order: [], limit: 1 }
  const [all] = await readGroups(data, request, { time, take: () => undefined })
  if (of === 'count') return String(all?.count ?? 0)
  const [value = 'null'] = all?.values ?? []
  return value === 'null' ? (of === 'sum' ? '0' : null) : value
}

/** @returns the value of a condition, with the caller, the day or the moment in UTC in place of the words for them */
function comparedValue({ actor, shared }: Context, { filter, text, kind }: FigureCondition): unknown {
  if (filter.takesMe) return withMe(text, actor)
  const [, word, days = '0'] = /^(today|now)([+-]\d{1,4})?$/.exec(text) ?? []
  if (word === undefined || (kind !== 'date' && kind !== 'timestamp')) return text
  const moment = new Date(shared.clock().getTime() + Number(days) * dayMs).toISOString()
  return word === 'now' && kind === 'timestamp' ? moment : moment.slice(0, 10)
}
