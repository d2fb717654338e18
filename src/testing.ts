/** The exports of `tenantry/testing`. */
export type { StoredEvent } from './core/events/history.ts'
export type { TestMail } from './testing/collected-mails.ts'
export { TestCaller, type TestReply } from './testing/test-caller.ts'
export { type Duration, TestClock } from './testing/test-clock.ts'
export { createTestService, type TestService, type TestServiceOptions } from './testing/test-service.ts'
export { TestTenant, testPassword } from './testing/test-tenant.ts'
