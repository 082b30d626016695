/** Tells searches for people who has done something in a business. */
import './user-activity.ts';
