/** What spans the graph: ways between records whose domains do not know each other. */
import './group-member-name.ts';
import './business-products.ts';
