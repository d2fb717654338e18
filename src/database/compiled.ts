/**
 * Statements that are compiled to SQL once for each kind of database, and the values that each run gives them. Access
 * rules of tables add conditions to a statement, so that a statement has variants for callers with different access.
 */
import type { Compilable } from 'kysely'
import type { Dialect, Row } from './executor.ts'
import { LruMap } from './lru-map.ts'
import type { RowReach } from './row-reach.ts'
import type { RowRules } from './row-rule.ts'
import { collectingUses, type TableUse } from './scope-rules.ts'

/** A value that each run supplies. */
export class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A value in the condition of an access rule, such as the caller's id. `RowReach`, the caller's access, has the
 * value.
 */
export class RulePlaceholder extends Placeholder {
  readonly dialect: Dialect
  constructor(name: string, dialect: Dialect) {
    super(name)
    this.dialect = dialect
  }
}

export const tenantPlaceholder = new Placeholder('tenant')
export const userPlaceholder = new Placeholder('user')

export interface Compiled {
  sql: string
  parameters: readonly unknown[]
}

/** @returns the parameters of a statement in which each placeholder has been replaced by its value */
export function valuesOf(
  compiledParameters: readonly unknown[],
  parameters: object,
  tenantId: string | null,
  userId: string | null,
  reach: RowReach | null,
): unknown[] {
  return compiledParameters.map((value) => {
    if (!(value instanceof Placeholder)) return value
    if (value === tenantPlaceholder) return tenantId
    if (reach !== null && value instanceof RulePlaceholder) return reach.value(value.name, value.dialect)
    return value === userPlaceholder ? userId : (parameters as Row)[value.name] // placeholders are its members
  })
}

/** The maximum number of variants of one statement that are kept. */
const maxVariants = 64

interface CompiledOnce {
  /** The statement without access rules. */
  compiled(dialect: Dialect): Compiled
  /** The variant with the conditions of the access rules that restrict the caller. */
  ruled(dialect: Dialect, reach: RowReach): Compiled
}

interface Plain extends Compiled {
  /** What the query does with each table, such as reading or updating it: this selects the rules that apply. */
  uses: readonly TableUse[]
  /**
   * The variants by a pattern: the form of the conditions that the rules have for a caller. Each set of rules has
   * variants of its own, because one process may run several services.
   */
  variantsByRules: WeakMap<RowRules, LruMap<string, Compiled>>
}

export function compileOnce(build: (dialect: Dialect, reach: RowReach | null) => Compilable): CompiledOnce {
  const ready = new Map<Dialect, Plain>()
  const compiled = (dialect: Dialect): Plain => {
    let plain = ready.get(dialect)
    if (plain === undefined) {
      const { built, uses } = collectingUses(() => build(dialect, null).compile())
      plain = { sql: built.sql, parameters: built.parameters, uses, variantsByRules: new WeakMap() }
      ready.set(dialect, plain)
    }
    return plain
  }
  const ruled = (dialect: Dialect, reach: RowReach): Compiled => {
    const plain = compiled(dialect)
    if (reach.rules.size === 0) return plain
    const restricted = plain.uses.filter(({ table }) => reach.restricts(table))
    if (restricted.length === 0) return plain
    const variants = plain.variantsByRules.get(reach.rules) ?? new LruMap<string, Compiled>(maxVariants)
    plain.variantsByRules.set(reach.rules, variants)
    const pattern = restricted.map((use) => reach.pattern(use)).join('|')
    let found = variants.get(pattern)
    if (found === undefined) {
      const { sql, parameters } = build(dialect, reach).compile()
      found = { sql, parameters }
      variants.set(pattern, found)
    }
    return found
  }
  return { compiled, ruled }
}

/**
 * @returns an object that stands for the parameters while a query is built: each member is a placeholder of its name
 */
export function placeholders<P extends object>(): P {
  return new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as P // it has every member
}
