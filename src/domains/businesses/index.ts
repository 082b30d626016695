/** Tells searches for people about the staff of a business. */
import './staff/staff-sql.ts';
