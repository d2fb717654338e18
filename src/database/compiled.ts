/** Statements that are compiled once for each database, and the values that each run gives them. */
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

/** A value of a rule, which the reach of the caller has. */
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

/** The most that one statement has: callers differ in what of a rule is decided for them. */
const maxPatterns = 64

interface CompiledOnce {
  compiled(dialect: Dialect): Compiled
  ruled(dialect: Dialect, reach: RowReach): Compiled
}

interface Plain extends Compiled {
  /** The operations of the query on the tables that a scope restricts. */
  uses: readonly TableUse[]
  /**
   * Compiled queries by the patterns of the rules for these uses, for each set of rules: a process may have several
   * services.
   */
  patterns: WeakMap<RowRules, LruMap<string, Compiled>>
}

export function compileOnce(build: (dialect: Dialect, reach: RowReach | null) => Compilable): CompiledOnce {
  const ready = new Map<Dialect, Plain>()
  const compiled = (dialect: Dialect): Plain => {
    let plain = ready.get(dialect)
    if (plain === undefined) {
      const { built, uses } = collectingUses(() => build(dialect, null).compile())
      plain = { sql: built.sql, parameters: built.parameters, uses, patterns: new WeakMap() }
      ready.set(dialect, plain)
    }
    return plain
  }
  const ruled = (dialect: Dialect, reach: RowReach): Compiled => {
    const plain = compiled(dialect)
    if (reach.rules.size === 0) return plain
    const restricted = plain.uses.filter(({ table }) => reach.restricts(table))
    if (restricted.length === 0) return plain
    const known = plain.patterns.get(reach.rules) ?? new LruMap<string, Compiled>(maxPatterns)
    plain.patterns.set(reach.rules, known)
    const pattern = restricted.map((use) => reach.pattern(use)).join('|')
    let found = known.get(pattern)
    if (found === undefined) {
      const { sql, parameters } = build(dialect, reach).compile()
      found = { sql, parameters }
      known.set(pattern, found)
    }
    return found
  }
  return { compiled, ruled }
}

/** Every member read from it is a placeholder of that name, whatever type the parameter has. */
export function placeholders<P extends object>(): P {
  return new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as P // it has every member
}
