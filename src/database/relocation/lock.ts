/** The first number of PostgreSQL's lock for a tenant that is moved; `lock.ts` beside this folder has the others. */
export const moveLock = 2
/** Of the lock that keeps two runs of one move apart. */
export const runLock = 3
