import type { ColumnType } from 'kysely'

/** Written by the tenant scope alone. */
export type TenantColumn = ColumnType<string, undefined, undefined>
