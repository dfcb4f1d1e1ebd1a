export { type AuditLine, recordAudit } from './service.ts';
