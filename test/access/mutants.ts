/** The rules, switched off one by one, and what has to notice. */

export interface AccessMutant {
  /** What is switched off. */
  name: string
  file: string
  /** Each text, and what stands there instead. */
  edits: readonly (readonly [from: string, to: string])[]
  /** The tests that have to notice. */
  tests: readonly string[]
}

const walk = 'test/access/walk.test.ts'
const statements = 'test/access/statements.test.ts'
const audit = 'test/access/audit.test.ts'
const actions = 'test/entity/action-rules.test.ts'
const scope = 'src/database/scope.ts'
const writes = 'src/entity/write.ts'

/** The scope adds no rule while it is set. */
const muting = [
  ['  readonly #tenant: unknown\n', '  readonly #tenant: unknown\n  #isMute = false\n'],
  ['    if (rules === undefined) return []\n', '    if (rules === undefined || this.#isMute) return []\n'],
] as const

export const mutants: readonly AccessMutant[] = [
  {
    name: 'select: the rule of the rows that are read',
    file: scope,
    edits: [
      ...muting,
      [
        '      const scoped = super.transformSelectQuery(node)\n      return this.#restrict(scoped, this.#tablesOf(scoped.from))\n',
        '      const scoped = super.transformSelectQuery(node)\n      this.#isMute = true\n      const restricted = this.#restrict(scoped, this.#tablesOf(scoped.from))\n      this.#isMute = false\n      return restricted\n',
      ],
    ],
    tests: [walk, statements],
  },
  {
    name: 'join: the rule of the rows that are joined',
    file: scope,
    edits: [
      ...muting,
      [
        '    const own = this.#conditionOn(tables)\n    if (own === null) return scoped\n',
        '    this.#isMute = true\n    const own = this.#conditionOn(tables)\n    this.#isMute = false\n    if (own === null) return scoped\n',
      ],
    ],
    tests: [walk, statements],
  },
  {
    name: 'update: the rule in the statement',
    file: scope,
    edits: [
      [
        "      return restrictedBy(restricted, this.#reached(changed, 'update', scoped))",
        '      return restricted',
      ],
    ],
    tests: [statements],
  },
  {
    name: 'delete: the rule in the statement',
    file: scope,
    edits: [
      [
        "      return restrictedBy(restricted, this.#reached(deleted, 'delete', scoped))",
        '      return restricted',
      ],
    ],
    tests: [statements],
  },
  {
    name: 'insert: the refusal of rows that nothing tests',
    file: scope,
    edits: [['    refuseNewRows(this.#rules, table)\n', '']],
    tests: [statements],
  },
  {
    name: 'update: the check of the verb',
    file: writes,
    edits: [["ownRow, this.#names, id, ['read', 'update']", "ownRow, this.#names, id, ['read']"]],
    tests: [walk],
  },
  {
    name: 'delete: the check of the verb',
    file: writes,
    edits: [["['read', 'delete']", "['read']"]],
    tests: [walk],
  },
  {
    name: 'insert: the check of the new row',
    file: writes,
    edits: [["['create', 'keep']", "['keep']"]],
    tests: [actions],
  },
  {
    name: 'insert: keep of the new row',
    file: writes,
    edits: [["['create', 'keep']", "['create']"]],
    tests: [walk],
  },
  {
    name: 'update: keep of the written row',
    file: writes,
    edits: [["        if (isRuled) await requirePermitted(ownRow, this.#names, id, ['keep'])\n", '']],
    tests: [walk],
  },
  {
    name: 'action: its own rule, in place of that of a change',
    file: 'src/database/row-reach.ts',
    edits: [['return rules === this.#rules ? this : new', 'return rules !== null ? this : new']],
    tests: [walk, actions],
  },
  {
    name: 'action: its own rule in the statement',
    file: writes,
    edits: [['this.#statements.update(ownRow, ', 'this.#statements.update(inside.data, ']],
    tests: [actions],
  },
  {
    name: 'action: its own rule for what it has written',
    file: writes,
    edits: [
      [
        "requirePermitted(ownRow, this.#names, id, ['keep'])",
        "requirePermitted(ownRow, this.#names, id, ['read'])",
      ],
    ],
    tests: [walk],
  },
  {
    name: 'one compiled statement for callers of any pattern',
    file: 'src/database/compiled.ts',
    edits: [
      [
        "restricted.map((use) => reach.pattern(use)).join('|')",
        "restricted.map(({ table }) => table).join('|')",
      ],
    ],
    tests: [walk],
  },
  {
    name: 'a reference to a row out of reach',
    file: 'src/entity/reference.ts',
    edits: [
      [
        '  const { reach } = data // what the rules grant the caller; null for code\n  if (reach === null) return\n',
        '  const { reach } = data\n  if (reach !== undefined) return\n',
      ],
    ],
    tests: [walk],
  },
  {
    name: 'a repeated request for a row that has left',
    file: writes,
    edits: [['idempotency?.replayed === true && data', 'idempotency?.replayed === null && data']],
    tests: [walk],
  },
  {
    name: 'a row that has left the reach of its writer, in the reply',
    file: 'src/entity/permitted.ts',
    edits: [['return isRead ? row :', 'return isRead || !isRead ? row :']],
    tests: ['test/access/leave.test.ts'],
  },
  {
    name: 'like: whoever reads the parent changes what follows it',
    file: 'src/database/row-reach.ts',
    edits: [
      ["operation === 'read' ? 'read' : 'update', place)", "operation === 'read' ? 'read' : 'read', place)"],
    ],
    tests: [walk],
  },
  {
    name: 'hidden members in filters, sorts and selections',
    file: 'src/database/read/readable.ts',
    edits: [
      [
        'if (reach === null || !reach.hidesMembers) return\n',
        'if (reach === null || reach.hidesMembers) return\n',
      ],
    ],
    tests: [walk],
  },
  {
    name: 'hidden members in searches',
    file: 'src/entity/list.ts',
    edits: [['fields.filter(isReadable(context.data.reach))', 'fields.filter(isReadable(null))']],
    tests: [walk],
  },
  {
    name: 'hidden members in the search over everything',
    file: 'src/entity/search.ts',
    edits: [['const reads = isReadable(data.reach)', 'const reads = isReadable(null)']],
    tests: ['test/api/search/search.test.ts'],
  },
  {
    name: 'the audit of rows out of reach',
    file: 'src/core/audit/record-reach.ts',
    edits: [
      [
        'return records.filter((record) => !tables',
        'return records.filter((record) => tables.size > 0 || !tables',
      ],
    ],
    tests: [audit],
  },
  {
    name: 'the audit of rows of which the caller reads none',
    file: 'src/core/audit/record-reach.ts',
    edits: [['readers === null || readers.some(', 'readers !== undefined || [].some(']],
    tests: [audit],
  },
  // Places beside the scope.
  {
    name: 'beside 1: the text of the error of `from`',
    file: 'src/entity/write-steps.ts',
    edits: [['if (!reads(name)) throw', 'if (!reads(name) && allowed.length === 0) throw']],
    tests: ['test/entity/field-rules-write.test.ts'],
  },
  {
    name: 'beside 2: a computation from a hidden member',
    file: 'src/entity/compute.ts',
    edits: [['      refuseHiddenReads(entity, shape, guarded)\n', '']],
    tests: ['test/entity/field-rules-declared.test.ts'],
  },
  {
    name: 'beside 3: an explicit payload with a hidden member',
    file: 'src/entity/event.ts',
    edits: [['?.rule.read !== undefined)\n        throw', '?.rule.read === null)\n        throw']],
    tests: ['test/entity/field-rules-declared.test.ts'],
  },
  {
    name: 'beside 4: members of the rows of a list, as they are read',
    file: 'src/entity/field-guard.ts',
    edits: [
      [
        'else if (hidden.length > 0 && Array.isArray(value))',
        'else if (hidden.length > 99 && Array.isArray(value))',
      ],
    ],
    tests: [walk, 'test/entity/field-rules.test.ts'],
  },
  {
    name: 'beside 4: members of the rows of a list, as they are written',
    file: 'src/entity/field-guard.ts',
    edits: [['if (isGiven) requireWrite(', 'if (isGiven && members.length === 0) requireWrite(']],
    tests: ['test/entity/field-rules-write.test.ts'],
  },
]
