/** Adds payments to what is erased of people. */
import './erase-sandbox-emails.ts';
