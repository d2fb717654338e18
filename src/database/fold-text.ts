/**
 * Folds text for comparison without case, alike on both databases: canonical caseless matching of Unicode (The Unicode
 * Standard, section 3.13, D145). Its case folding is the lower case of each letter but for some letters.
 */
export function foldText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  const lower = text.normalize('NFD').toLowerCase()
  return lower.replace(caseFolded, (letter) => foldings.get(letter) ?? letter).normalize('NFC')
}

const isAscii = /^\p{ASCII}*$/u

/** Pairs of a lower-case letter and the letter that it folds to. */
const single =
  'µμ ſs \u0345ι ςσ ϐβ ϑθ ϕφ ϖπ ϰκ ϱρ ϵε \u1c80в \u1c81д \u1c82о \u1c83с \u1c84т \u1c85т \u1c86ъ \u1c87ѣ \u1c88ꙋ'
/** Pairs of a lower-case letter and the several letters that it folds to. */
const several = 'ßss ŉʼn ևեւ ẚaʾ ﬀff ﬁfi ﬂfl ﬃffi ﬄffl ﬅst ﬆst ﬓմն ﬔմե ﬕմի ﬖվն ﬗմխ'
/** Letters of Unicode 17 with their lower case, which PostgreSQL 18 and Node.js 24 do not know. */
const recent = [
  ...[[0xa7ce, 0xa7cf] as const, [0xa7d2, 0xa7d3] as const, [0xa7d4, 0xa7d5] as const],
  ...Array.from({ length: 25 }, (_, index) => [0x16ea0 + index, 0x16ebb + index] as const),
].map(([upper, lower]) => [String.fromCodePoint(upper), String.fromCodePoint(lower)] as const)

const pairs = (text: string) => text.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)] as const)
const foldings = new Map([...pairs(single), ...pairs(several), ...recent])
const caseFolded = new RegExp(`[${[...foldings.keys()].join('')}]`, 'gu')

/** The folding of a column `name` is in the column `search_name`. */
export const caseFoldedPrefix = 'search_'

/** The name of the same function in SQL. */
export const foldFunction = 'fold_text'

/** How migration `entity-0001` created the function on PostgreSQL. `replaceFoldFunction` has the present one. */
export const createFoldFunction = `DO $do$ BEGIN
  IF current_setting('server_version_num')::integer >= 180000 AND current_setting('server_encoding') = 'UTF8' THEN
    CREATE FUNCTION ${foldFunction}(value text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
      $body$ SELECT replace(lower(upper(normalize(value, NFC) COLLATE pg_catalog.pg_unicode_fast)), 'ς', 'σ') $body$;
  ELSE
    CREATE FUNCTION ${foldFunction}(value text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
      $body$ SELECT replace(lower(upper(value COLLATE pg_catalog."default")), 'ς', 'σ') $body$;
  END IF;
END $do$`

const lowerCase = (value: string) => `lower(${value} COLLATE pg_catalog.pg_unicode_fast)`

/** Folds case in SQL. `casefold` leaves the letters of the Cherokee in upper case. */
const foldByCasefold = `CASE WHEN octet_length(value) = char_length(value) THEN ${lowerCase('value')}
  ELSE normalize(${lowerCase(`casefold(${translated('normalize(value, NFD)', recent)} COLLATE pg_catalog.pg_unicode_fast)`)}, NFC) END`

/** Folds case in SQL, for versions without `casefold`. @param collation whose lower case is taken */
export function foldByLowerCase(collation: string): string {
  const lower = `lower(normalize(value, NFD) COLLATE ${collation})`
  const letters = translated(lower, [...pairs(single), ...recent])
  const whole = pairs(several).reduce(
    (sql, [letter, text]) => `replace(${sql}, '${letter}', '${text}')`,
    letters,
  )
  return `normalize(${whole}, NFC)`
}

function translated(sql: string, letters: readonly (readonly [string, string])[]): string {
  const [from, to] = [letters.map(([letter]) => letter), letters.map(([, letter]) => letter)]
  return `translate(${sql}, '${from.join('')}', '${to.join('')}')`
}

/** Makes the SQL function fold like `foldText`. It is not STRICT, because PostgreSQL inlines such a function. */
export const replaceFoldFunction = `DO $do$ BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RETURN;
  ELSIF current_setting('server_version_num')::integer >= 180000 THEN
    CREATE OR REPLACE FUNCTION ${foldFunction}(value text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
      $body$ SELECT ${foldByCasefold} $body$;
  ELSE
    CREATE OR REPLACE FUNCTION ${foldFunction}(value text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
      $body$ SELECT ${foldByLowerCase('pg_catalog."default"')} $body$;
  END IF;
END $do$`
