/** The type of an entity's table, for SQL of an application. */
import type { TenantColumn } from '../database/scope.ts'
import type { Fields, Flat, MemberOf } from './field.ts'

type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S
/** The table of an entity's rows, for SQL of your own: `interface TenantTables { invoice: TableOf<typeof fields> }`. */
export type TableOf<F extends Fields> = Flat<
  { tenant_id: TenantColumn; id: string } & {
    [N in keyof F & string as F[N]['types']['kind'] extends 'many'
      ? never
      : Snake<MemberOf<N, F[N]>>]: F[N]['types']['kind'] extends 'json' ? string : F[N]['types']['value']
  } & {
    [N in keyof F & string as F[N]['types']['kind'] extends 'text' | 'longText'
      ? `search_${Snake<N>}`
      : never]: string | null
  } & { created_at: string; updated_at: string; version: number }
>
